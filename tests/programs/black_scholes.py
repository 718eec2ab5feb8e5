# entry: call
# args: 100.0, 110.0, 0.05, 0.2, 0.75
# note: the five greeks of a call option

import math


def phi(x):
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))


def call(spot, strike, rate, sigma, t):
    root = sigma * math.sqrt(t)
    d1 = (math.log(spot / strike) + (rate + 0.5 * sigma**2) * t) / root
    d2 = d1 - root
    return spot * phi(d1) - strike * math.exp(-rate * t) * phi(d2)
