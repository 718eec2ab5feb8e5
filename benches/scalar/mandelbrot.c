#include "scalar.h"

double value(const double *x, int64_t n) {
    int64_t total = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double cr = x[0] + 3.0 * j / n, ci = x[1] + 2.0 * i / n, zr = 0.0, zi = 0.0;
            int64_t k = 0;
            while (k < 200 && zr * zr + zi * zi <= 4.0) {
                double t = zr * zr - zi * zi + cr;
                zi = 2.0 * zr * zi + ci;
                zr = t;
                k++;
            }
            total += k;
        }
    return (double)total;
}
