"""JAX: a network and its gradient in one compiled function, a batch by vmap."""
import jax
import jax.numpy as jnp
import numpy as np

random = np.random.default_rng(0)
x, w = random.random((4, 16), dtype=np.float32), random.random(16, dtype=np.float32)


def loss(w, x):
    return jnp.tanh((x * w).sum(axis=1)).sum()


gradient = jax.jit(jax.grad(loss))(jnp.asarray(w), jnp.asarray(x))
want = ((1 - np.tanh((x * w).sum(1)) ** 2)[:, None] * x).sum(0)
assert np.allclose(gradient, want, atol=1e-4)
assert np.allclose(jax.jit(jax.vmap(lambda row: jnp.dot(row, w, precision="highest")))(jnp.asarray(x)), x @ w, rtol=1e-4)
print("right")
