// thrust::host_vector: see device_vector.h.
#pragma once

#include "device_vector.h"
