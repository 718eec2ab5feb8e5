#include "scalar.h"

double value(const double *x, int64_t n) {
    char *composite = calloc(n, 1);
    int64_t count = 0;
    for (int64_t i = 2; i < n; i++)
        if (!composite[i]) {
            count++;
            for (int64_t j = i * i; j < n; j += i) composite[j] = 1;
        }
    free(composite);
    return x[0] * count;
}
