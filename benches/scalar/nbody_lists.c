#include "nbody_arrays.c"
