/* Programs of studies/closures-vs-stacks with gradients by hand: reverse mode that records what it must, on the stack or in an array.
   Prints lines workload,metric,value; times are medians, in seconds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 1000, BATCHES = 41 };
static double kept[3 * MOST];

static double power(double x, int n) {
    double r = 1.0;
    for (int i = 0; i < n; i++) r *= x;
    return r;
}
static double power_grad(double x, int n) {
    double r = 1.0;
    for (int i = 0; i < n; i++) {
        kept[i] = r;
        r *= x;
    }
    double g = 1.0, gx = 0.0;
    for (int i = n - 1; i >= 0; i--) {
        gx += g * kept[i];
        g *= x;
    }
    return gx;
}

static double horner(double x, int n) {
    double r = 0.0;
    for (int i = 0; i < n; i++) r = r * x + 1.0 / (i + 1);
    return r;
}
static double horner_grad(double x, int n) {
    double r = 0.0;
    for (int i = 0; i < n; i++) {
        kept[i] = r;
        r = r * x + 1.0 / (i + 1);
    }
    double g = 1.0, gx = 0.0;
    for (int i = n - 1; i >= 0; i--) {
        gx += g * kept[i];
        g *= x;
    }
    return gx;
}

static double newton(double x, int n) {
    double r = 1.0;
    for (int i = 0; i < n; i++) r = 0.5 * (r + x / r);
    return r;
}
static double newton_grad(double x, int n) {
    double r = 1.0;
    for (int i = 0; i < n; i++) {
        kept[i] = r;
        r = 0.5 * (r + x / r);
    }
    double g = 1.0, gx = 0.0;
    for (int i = n - 1; i >= 0; i--) {
        double q = 0.5 * g / kept[i];
        gx += q;
        g = 0.5 * g - q * x / kept[i];
    }
    return gx;
}

static double logistic(double x, int n) {
    for (int i = 0; i < n; i++) x = 3.2 * x * (1.0 - x);
    return x;
}
static double logistic_grad(double x, int n) {
    for (int i = 0; i < n; i++) {
        kept[i] = x;
        x = 3.2 * x * (1.0 - x);
    }
    double g = 1.0;
    for (int i = n - 1; i >= 0; i--) g *= 3.2 * (1.0 - 2.0 * kept[i]);
    return g;
}

static double harmonic(double x, int n) {
    double total = 0.0;
    for (int i = 0; i < n; i++) total += 1.0 / (x + i);
    return total;
}
static double harmonic_grad(double x, int n) {
    double gx = 0.0;
    for (int i = 0; i < n; i++) gx -= 1.0 / ((x + i) * (x + i));
    return gx;
}

static double pendulum(double x, int n) {
    double angle = x, speed = 0.0;
    for (int i = 0; i < n; i++) {
        speed -= 0.01 * sin(angle);
        angle += 0.01 * speed;
    }
    return angle;
}
static double pendulum_grad(double x, int n) {
    double angle = x, speed = 0.0;
    for (int i = 0; i < n; i++) {
        kept[i] = angle;
        speed -= 0.01 * sin(angle);
        angle += 0.01 * speed;
    }
    double ga = 1.0, gs = 0.0;
    for (int i = n - 1; i >= 0; i--) {
        gs += 0.01 * ga;
        ga -= 0.01 * gs * cos(kept[i]);
    }
    return ga;
}

static double lorenz(double x, int n) {
    double y = 1.2, z = 0.9;
    for (int i = 0; i < n; i++) {
        double dx = 10.0 * (y - x), dy = x * (28.0 - z) - y, dz = x * y - 2.5 * z;
        x += 0.002 * dx;
        y += 0.002 * dy;
        z += 0.002 * dz;
    }
    return x + y + z;
}
static double lorenz_grad(double x, int n) {
    double y = 1.2, z = 0.9;
    for (int i = 0; i < n; i++) {
        kept[3 * i] = x;
        kept[3 * i + 1] = y;
        kept[3 * i + 2] = z;
        double dx = 10.0 * (y - x), dy = x * (28.0 - z) - y, dz = x * y - 2.5 * z;
        x += 0.002 * dx;
        y += 0.002 * dy;
        z += 0.002 * dz;
    }
    double gx = 1.0, gy = 1.0, gz = 1.0;
    for (int i = n - 1; i >= 0; i--) {
        double a = kept[3 * i], b = kept[3 * i + 1], c = kept[3 * i + 2];
        double p = 0.002 * gx, q = 0.002 * gy, r = 0.002 * gz;
        gx += -10.0 * p + (28.0 - c) * q + b * r;
        gy += 10.0 * p - q + a * r;
        gz += -a * q - 2.5 * r;
    }
    return gx;
}

typedef double Function(double, int);
static volatile double sink;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int order(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(Function *f, double x, int n) {
    double times[BATCHES];
    int calls = 1;
    for (double start = now(); now() - start < 1e-3; calls++) sink = f(x, n);
    for (int b = 0; b < BATCHES; b++) {
        double start = now();
        for (int i = 0; i < calls; i++) sink = f(x, n);
        times[b] = (now() - start) / calls;
    }
    qsort(times, BATCHES, sizeof *times, order);
    return times[BATCHES / 2];
}

/* Ends the program if the gradient is not the difference quotient. */
static void check(const char *name, Function *f, Function *grad, double x, int n) {
    double h = 1e-6, expected = (f(x + h, n) - f(x - h, n)) / (2.0 * h), found = grad(x, n);
    if (fabs(found - expected) > 1e-3 * (1.0 + fabs(expected))) {
        fprintf(stderr, "%s: %g is not %g\n", name, found, expected);
        exit(1);
    }
}

int main(void) {
    struct { const char *name; Function *f, *grad; double x; int n; } all[] = {
        {"power", power, power_grad, 1.0001, 1000},    {"horner", horner, horner_grad, 0.9, 1000},
        {"newton", newton, newton_grad, 2.0, 20},      {"logistic", logistic, logistic_grad, 0.3, 100},
        {"harmonic", harmonic, harmonic_grad, 1.5, 1000}, {"pendulum", pendulum, pendulum_grad, 0.5, 1000},
        {"lorenz", lorenz, lorenz_grad, 1.0, 1000},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        check(all[i].name, all[i].f, all[i].grad, all[i].x, all[i].n);
        printf("%s,primal_s,%g\n", all[i].name, median(all[i].f, all[i].x, all[i].n));
        printf("%s,grad_s,%g\n", all[i].name, median(all[i].grad, all[i].x, all[i].n));
    }
    return 0;
}
