"""Compares the two ways to reverse a program: closures, and stacks.

The backward pass needs what the forward pass computed. The strategy "closure" makes of each step a function that
knows what its derivative needs (Pearlmutter & Siskind); "stack" pushes it on a tape and pops it off again. Both give
the same gradient. They differ in what a run keeps, and in what the compiler makes of them.
"""

import math

import gradus


def orbit(x, n):
    """Logistic map, n times, which nothing but its own history reverses."""
    for _ in range(n):
        x = 3.7 * x * (1.0 - x)
    return x


def forward_by_hand(x, n):
    """The derivative by the chain rule, forwards."""
    slope = 1.0
    for _ in range(n):
        slope *= 3.7 * (1.0 - 2.0 * x)
        x = 3.7 * x * (1.0 - x)
    return slope


def main():
    x, n = 0.3, 20
    expected = forward_by_hand(x, n)
    gradient = gradus.grad(orbit)
    for strategy in ("closure", "stack"):
        with gradus.options(strategy=strategy):
            found = gradient(x, n)
            print(f"--- {strategy}: {found:.12f}")
            print(gradient.explain(x, n))
            lines = gradient.ir("optimised", x, n).count("\n")
            print(f"{lines} lines of intermediate representation\n")
        assert math.isclose(found, expected, rel_tol=1e-12)

    # Without the choice, the compiler decides; `report` says how, and how long each pass took.
    gradient(x, n)
    report = gradient.report()
    print("the compiler chose", report["strategies"], "in", f"{sum(dict(report['seconds']).values()) * 1e3:.1f} ms")

    # A checkpoint keeps the arguments of a part alone, and computes the rest again.
    def in_parts(x, n):
        part = gradus.checkpoint(lambda x: orbit(x, 5))
        for _ in range(n // 5):
            x = part(x)
        return x

    with gradus.options(strategy="stack"):
        parts = gradus.grad(in_parts)
        assert math.isclose(parts(x, n), expected, rel_tol=1e-12)
        print("--- with checkpoints")
        print(parts.explain(x, n))


if __name__ == "__main__":
    main()
