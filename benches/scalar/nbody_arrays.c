#include "scalar.h"

static const double dt = 0.01;

static void accelerate(const double *p, double *v, int64_t bodies) {
    for (int64_t i = 0; i < bodies; i++)
        for (int64_t j = i + 1; j < bodies; j++) {
            double dx = p[3 * i] - p[3 * j], dy = p[3 * i + 1] - p[3 * j + 1], dz = p[3 * i + 2] - p[3 * j + 2];
            double r2 = dx * dx + dy * dy + dz * dz + 0.01, w = dt / (r2 * sqrt(r2));
            v[3 * i] -= dx * w;
            v[3 * i + 1] -= dy * w;
            v[3 * i + 2] -= dz * w;
            v[3 * j] += dx * w;
            v[3 * j + 1] += dy * w;
            v[3 * j + 2] += dz * w;
        }
}

double value(const double *x, int64_t n) {
    int64_t bodies = 8, m = 3 * bodies;
    double *p = malloc(2 * m * sizeof *p), *v = p + m, s = 0.0;
    memcpy(p, x, 2 * m * sizeof *p);
    for (int64_t step = 0; step < n; step++) {
        accelerate(p, v, bodies);
        for (int64_t i = 0; i < m; i++) p[i] += dt * v[i];
    }
    for (int64_t i = 0; i < m; i++) s += p[i] * p[i];
    free(p);
    return s;
}

/* The positions of each step are kept. */
void gradient(const double *x, int64_t n, double *g) {
    int64_t bodies = 8, m = 3 * bodies;
    double *tape = malloc((n + 2) * m * sizeof *tape), *v = tape + (n + 1) * m, *gp = g, *gv = g + m;
    memcpy(tape, x, m * sizeof *tape);
    memcpy(v, x + m, m * sizeof *v);
    for (int64_t step = 0; step < n; step++) {
        double *p = tape + step * m;
        accelerate(p, v, bodies);
        for (int64_t i = 0; i < m; i++) p[m + i] = p[i] + dt * v[i];
    }
    for (int64_t i = 0; i < m; i++) gp[i] = 2.0 * tape[n * m + i], gv[i] = 0.0;
    for (int64_t step = n - 1; step >= 0; step--) {
        const double *p = tape + step * m;
        for (int64_t i = 0; i < m; i++) gv[i] += dt * gp[i];
        for (int64_t i = bodies - 1; i >= 0; i--)
            for (int64_t j = bodies - 1; j > i; j--) {
                double dx = p[3 * i] - p[3 * j], dy = p[3 * i + 1] - p[3 * j + 1], dz = p[3 * i + 2] - p[3 * j + 2];
                double r2 = dx * dx + dy * dy + dz * dz + 0.01, w = dt / (r2 * sqrt(r2));
                double gx = gv[3 * j] - gv[3 * i], gy = gv[3 * j + 1] - gv[3 * i + 1], gz = gv[3 * j + 2] - gv[3 * i + 2];
                double gw = gx * dx + gy * dy + gz * dz, gr = -1.5 * w / r2 * gw;
                double ax = gx * w + 2.0 * gr * dx, ay = gy * w + 2.0 * gr * dy, az = gz * w + 2.0 * gr * dz;
                gp[3 * i] += ax;
                gp[3 * i + 1] += ay;
                gp[3 * i + 2] += az;
                gp[3 * j] -= ax;
                gp[3 * j + 1] -= ay;
                gp[3 * j + 2] -= az;
            }
    }
    free(tape);
}
