# The price of a European call after Black and Scholes; its gradient is the greeks.

import math


def cdf(d):
    return 0.5 * (1.0 + math.erf(d * math.sqrt(0.5)))


def call(spot, strike, rate, volatility, time):
    root = volatility * math.sqrt(time)
    d1 = (math.log(spot / strike) + (rate + 0.5 * volatility * volatility) * time) / root
    d2 = d1 - root
    return spot * cdf(d1) - strike * math.exp(-rate * time) * cdf(d2)
