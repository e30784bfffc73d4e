"""kernelpilot_data.py DIR writes the inputs of the sampled programs of KernelPilot to DIR/data, of their first size: numbers of
ours, since theirs are not published. The results to compare with are such numbers, too, so that programs end after one size."""

import array
import os
import random
import sys

FLOATS = """elemwise_A_1 elemwise_B_1 elemwise_C_1 gather_data_1 gather_ref_1 cond_x_1 cond_then_1 cond_else_1 cond_1_true
cond_1_false cond_1_ref plugin_input_1 plugin_output_1 pool_in_1 pool_ref_1 cast_input_1 cast_ref_1 topk_input_1 topk_ref_1
trip_ref_1 iter_input_1 iter_ref_1 const_ref_1 cumsum_input_1 cumsum_ref_1"""
SIZE = 1 << 20

random.seed(1)
folder = os.path.join(sys.argv[1], "data")
os.makedirs(folder, exist_ok=True)
floats = array.array("f", (random.random() for _ in range(SIZE))).tobytes()
flags = bytes(random.randrange(2) for _ in range(SIZE))
small = array.array("i", (random.randrange(8) for _ in range(SIZE))).tobytes()
for names, data in (FLOATS, floats), ("cond_mask_1 cond_1_flag", flags), ("gather_indices_1 trip_limit_1", small):
    for name in names.split():
        with open(os.path.join(folder, name + ".bin"), "wb") as out:
            out.write(data)
