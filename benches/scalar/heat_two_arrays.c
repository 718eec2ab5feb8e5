#include "scalar.h"

enum { M = 500 };

static double *run(double *u, double *w, int64_t n) {
    for (int64_t step = 0; step < n; step++) {
        for (int64_t i = 1; i < M - 1; i++) w[i] = u[i] + 0.2 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        double *t = u;
        u = w, w = t;
    }
    return u;
}

static double *copies(const double *x) {
    double *u = malloc(2 * M * sizeof *u);
    memcpy(u, x, M * sizeof *u);
    memcpy(u + M, x, M * sizeof *u);
    return u;
}

double value(const double *x, int64_t n) {
    double *u = copies(x), s = 0.0, *last = run(u, u + M, n);
    for (int64_t i = 0; i < M; i++) s += last[i] * last[i];
    free(u);
    return s;
}

void gradient(const double *x, int64_t n, double *g) {
    double *u = copies(x), *last = run(u, u + M, n), *d = malloc(2 * M * sizeof *d), *e = d + M;
    for (int64_t i = 0; i < M; i++) d[i] = 2.0 * last[i], e[i] = 0.0;
    for (int64_t step = 0; step < n; step++) {
        /* d is the cotangent of the new array, e of the old one, which has its ends from before. */
        for (int64_t i = 1; i < M - 1; i++) {
            double a = d[i];
            e[i - 1] += 0.2 * a;
            e[i] += 0.6 * a;
            e[i + 1] += 0.2 * a;
            d[i] = 0.0;
        }
        double *t = d;
        d = e, e = t;
    }
    for (int64_t i = 0; i < M; i++) g[i] = d[i] + e[i];
    free(u);
    free(d < e ? d : e);
}
