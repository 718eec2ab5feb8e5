# entry: f
# args: 5
# args: 0
# note: the legacy generator, whose numbers are those of the Mersenne Twister
import numpy as np


def f(seed):
    rs = np.random.RandomState(seed)
    uniform = rs.rand(), rs.rand(2), rs.random_sample((1, 2)), rs.uniform(-1.0, 1.0, 2)
    normal = rs.randn(3), rs.randn(), rs.normal(1.0, 2.0, 2), rs.standard_normal(2)
    ints = rs.randint(0, 10, 5), rs.randint(100), rs.randint(0, 2**40, 2), rs.poisson(4.0, 3)
    others = rs.exponential(2.0, 2), rs.laplace(size=2), rs.gumbel(size=2), rs.logistic(size=2), rs.lognormal(size=2)
    places = rs.permutation(6), rs.choice(5, 3), rs.choice(8, 3, replace=False), rs.choice(3, 4, p=[0.2, 0.3, 0.5])
    more = rs.choice(4, 2, replace=False, p=[0.1, 0.2, 0.3, 0.4])
    x = np.arange(5.0)
    rs.shuffle(x)
    return uniform, normal, ints, others, places, more, x, rs.rand()
