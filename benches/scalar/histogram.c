#include "scalar.h"

double value(const double *x, int64_t n) {
    int64_t *h = calloc(n, sizeof *h), s = 0;
    for (int64_t i = 0; i < 100000; i++) h[(int64_t)(x[i] * n)]++;
    for (int64_t k = 0; k < n; k++) s += h[k] * h[k];
    free(h);
    return (double)s;
}
