#include "scalar.h"

static double *product(const double *a, const double *b, int64_t n) {
    double *c = calloc(n * n, sizeof *c);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++)
            for (int64_t j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    return c;
}

double value(const double *x, int64_t n) {
    double *c = product(x, x + n * n, n), s = 0.0;
    for (int64_t i = 0; i < n * n; i++) s += c[i] * c[i];
    free(c);
    return s;
}

void gradient(const double *x, int64_t n, double *g) {
    const double *a = x, *b = x + n * n;
    double *c = product(a, b, n), *ga = g, *gb = g + n * n;
    memset(g, 0, 2 * n * n * sizeof *g);
    for (int64_t i = n - 1; i >= 0; i--)
        for (int64_t k = n - 1; k >= 0; k--) {
            double s = 0.0;
            for (int64_t j = n - 1; j >= 0; j--) {
                double d = 2.0 * c[i * n + j];
                s += d * b[k * n + j];
                gb[k * n + j] += d * a[i * n + k];
            }
            ga[i * n + k] += s;
        }
    free(c);
}
