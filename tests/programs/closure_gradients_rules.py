# entry: f
# args: 1.5
# args: 0.75
# order: 2
# note: functions that capture floats, with rules, differentiated forwards, let through hooks, checkpointed, as contractions
import math
from gradus import checkpoint, custom_jvp, custom_vjp, fixed_point, forwarddiff, grad, hook, jvp


def call(g, y):
    return g(y)


def f(x):
    k = x * x + 1.0

    @custom_vjp(lambda y, a: lambda g: (g * k * math.cos(a),))
    def reverse(a):
        return math.sin(a) * k

    @custom_jvp(lambda args, tangents: (0.0, tangents[0] * math.exp(args[0]) * k))
    def forward(a):
        return math.exp(a) * k

    total = reverse(x) * forward(x) + jvp(lambda x: x * reverse(k * x) + forward(k * x), (x,), (1.0,))[1]
    total = total + forwarddiff(lambda a: math.sin(a) * k, x) * x
    total = total + forwarddiff(lambda p: p[0](p[1]) * k, (lambda a: math.sin(a * k), x))
    total = total + hook(lambda c: c, (lambda a: a * x) if x > 1.0 else (lambda a: a * k))(k)
    root = lambda a: 0.5 * (a + k / a)
    total = total + fixed_point(root, 1.0) + checkpoint(lambda a: a * math.sin(k))(x)
    d = grad(call)(lambda y: checkpoint(lambda a: math.sin(a * k))(y), x)
    e = grad(lambda g: fixed_point(g, 1.0))(root)
    return total + d.k * e.k
