# The price of a European call option, and its sensitivities, the "greeks": they are the gradient. In the order of the arguments:
# delta, the derivative by the strike, rho, vega, and the derivative by the time left.
#
#   $ gradus grad examples/black_scholes.py call 100.0 110.0 0.05 0.2 0.75
#   value     4.522013284848114
#   gradient  (0.40239038611177497, -0.324700230239358, 26.787768994747037, 33.5100510433756, 6.2538580720998835)
#
# Gamma is the second derivative by the spot price:
#
#   $ gradus run examples/black_scholes.py gamma 100.0 110.0 0.05 0.2 0.75
#   0.022340034028917054

import math
from gradus import grad


def phi(x):
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))


def call(spot, strike, rate, sigma, years):
    root = sigma * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + sigma**2 / 2) * years) / root
    d2 = d1 - root
    return spot * phi(d1) - strike * math.exp(-rate * years) * phi(d2)


def gamma(spot, strike, rate, sigma, years):
    return grad(grad(call))(spot, strike, rate, sigma, years)
