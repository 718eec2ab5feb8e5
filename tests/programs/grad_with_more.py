# entry: f
# args: 0.7, 2
# args: 1.3, 3
# note: gradients of functions that give something beside the float
from gradus import grad, value_and_grad


def loss(w, k):
    p = w * w * k
    return p * p, {"p": p, "count": 3, "all": (p, w)}


def f(x: float, n: int) -> float:
    (value, more), slope = value_and_grad(loss, has_aux=True)(x, 2.0)
    by_k, again = grad(loss, argnums=1, has_aux=True)(x, x * x)
    (by_w, _), _ = grad(loss, argnums=(0, 1), has_aux=True)(x, 3.0)
    total = value * slope + more["p"] * more["count"] + by_k * again["all"][0] + by_w
    for i in range(n):
        slope, more = grad(lambda y: (y * y * total, more["p"] * y), has_aux=True)(slope) if i > 0 else (slope, more["p"])
        total += more if i == 0 else slope
        more = {"p": x}
    return total
