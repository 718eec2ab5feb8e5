#include "scalar.h"

double value(const double *x, int64_t n) {
    int64_t longest = 0;
    for (int64_t start = 1; start < n; start++) {
        int64_t k = start, length = 1;
        while (k != 1) {
            k = k % 2 == 0 ? k / 2 : 3 * k + 1;
            length++;
        }
        if (length > longest) longest = length;
    }
    return x[0] * longest;
}
