#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The value of a program, and the derivatives of that in x where a program has them. */
double value(const double *x, int64_t n);
void gradient(const double *x, int64_t n, double *g);
