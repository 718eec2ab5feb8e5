#include "scalar.h"

enum { M = 500 };

static void run(double *u, int64_t n) {
    for (int64_t step = 0; step < n; step++)
        for (int64_t i = 1; i < M - 1; i++) u[i] = u[i] + 0.2 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
}

double value(const double *x, int64_t n) {
    double *u = malloc(M * sizeof *u), s = 0.0;
    memcpy(u, x, M * sizeof *u);
    run(u, n);
    for (int64_t i = 0; i < M; i++) s += u[i] * u[i];
    free(u);
    return s;
}

/* All is linear but the last sum. */
void gradient(const double *x, int64_t n, double *g) {
    memcpy(g, x, M * sizeof *g);
    run(g, n);
    for (int64_t i = 0; i < M; i++) g[i] *= 2.0;
    for (int64_t step = 0; step < n; step++)
        for (int64_t i = M - 2; i >= 1; i--) {
            double d = g[i];
            g[i - 1] += 0.2 * d;
            g[i + 1] += 0.2 * d;
            g[i] = 0.6 * d;
        }
}
