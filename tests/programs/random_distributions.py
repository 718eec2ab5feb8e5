# entry: f
# args: 11
# args: 4294967299
# note: the numbers of each distribution, in shapes and alone
import numpy as np
from numpy.random import PCG64, Generator


def f(seed):
    rng = Generator(PCG64(seed))
    uniform = rng.random(), rng.random((2, 2)), rng.uniform(-1.0, 3.0, 2), rng.uniform(np.array([0.0, 5.0]), 6.0)
    normal = rng.standard_normal(3), rng.normal(), rng.normal(1.0, [0.1, 0.2]), rng.lognormal(0.5, 0.25, 2)
    exponential = rng.standard_exponential(3), rng.exponential(2.0), rng.standard_exponential(2, method="inv")
    others = rng.laplace(1.0, 2.0, 2), rng.gumbel(1.0, 2.0, 2), rng.logistic(size=2), rng.rayleigh(2.0, 2)
    powers = rng.weibull(1.5, 2), rng.pareto(2.0, 2)
    gammas = rng.gamma(2.5, 2.0, 3), rng.gamma(0.5, size=3), rng.standard_gamma(1.0), rng.chisquare(3.0, 2)
    betas = rng.beta(0.5, 0.4, 3), rng.beta(2.0, 3.0, 2), rng.beta(np.array([0.5, 4.0]), 2.0)
    return uniform, normal, exponential, others, powers, gammas, betas, rng.random()
