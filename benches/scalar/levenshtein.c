#include "scalar.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

double value(const double *x, int64_t n) {
    int64_t *a = malloc((3 * n + 1) * sizeof *a), *b = a + n, *row = b + n;
    for (int64_t i = 0; i < n; i++) a[i] = (int64_t)(x[i] * 4.0), b[i] = (int64_t)(x[n + i] * 4.0);
    for (int64_t j = 0; j <= n; j++) row[j] = j;
    for (int64_t i = 0; i < n; i++) {
        int64_t before = row[0];
        row[0] = i + 1;
        for (int64_t j = 0; j < n; j++) {
            int64_t cost = before + (a[i] != b[j]);
            before = row[j + 1];
            row[j + 1] = least(cost, least(before, row[j]) + 1);
        }
    }
    double distance = (double)row[n];
    free(a);
    return distance;
}
