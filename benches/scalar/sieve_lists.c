#include "sieve_arrays.c"
