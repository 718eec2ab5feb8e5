#include "scalar.h"

/* Sorts, and says where each element went. */
static void sort(double *a, int64_t *to, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        double v = a[i];
        int64_t j = i - 1;
        while (j >= 0 && a[j] > v) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = v;
        if (to) to[i] = j + 1;
    }
}

double value(const double *x, int64_t n) {
    double *a = malloc(n * sizeof *a), s = 0.0;
    memcpy(a, x, n * sizeof *a);
    sort(a, NULL, n);
    for (int64_t i = 0; i < n; i++) s += a[i] * i;
    free(a);
    return s;
}

/* Moves are undone, from the last to the first. */
void gradient(const double *x, int64_t n, double *g) {
    double *a = malloc(n * sizeof *a);
    int64_t *to = malloc(n * sizeof *to);
    memcpy(a, x, n * sizeof *a);
    sort(a, to, n);
    for (int64_t i = 0; i < n; i++) g[i] = (double)i;
    for (int64_t i = n - 1; i >= 1; i--) {
        double d = g[to[i]];
        for (int64_t j = to[i]; j < i; j++) g[j] = g[j + 1];
        g[i] = d;
    }
    free(a);
    free(to);
}
