# The price of a European call option, and its sensitivities, the "greeks": they are the gradient.
#
#   $ gradus grad examples/black_scholes.py call 100.0 110.0 0.05 0.2 0.75
#
# gives the price 4.522013284848114 and, in the order of the arguments, delta, the derivative by the strike, rho, vega and the
# derivative by the time left:
#
#   0.40239038611177463, -0.3247002302393577, 26.78776899474701, 33.5100510433756, 6.253858072099881
#
# Gamma is the second derivative by the spot price:
#
#   $ gradus run examples/black_scholes.py gamma 100.0 110.0 0.05 0.2 0.75
#
# gives 0.02234003402891707.

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
