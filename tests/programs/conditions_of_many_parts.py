# entry: f
# args: 1.5
# args: 40.25
# note: a condition that is put together of many: what it says of values is found once for each part
def f(x):
    b = x > 0.0
    b = (x > 0.0 and b) or (b and x < 30.5)
    b = (x > 1.0 and b) or (b and x < 31.5)
    b = (x > 2.0 and b) or (b and x < 32.5)
    b = (x > 3.0 and b) or (b and x < 33.5)
    b = (x > 4.0 and b) or (b and x < 34.5)
    b = (x > 5.0 and b) or (b and x < 35.5)
    b = (x > 6.0 and b) or (b and x < 36.5)
    b = (x > 7.0 and b) or (b and x < 37.5)
    b = (x > 8.0 and b) or (b and x < 38.5)
    b = (x > 9.0 and b) or (b and x < 39.5)
    b = (x > 10.0 and b) or (b and x < 40.5)
    b = (x > 11.0 and b) or (b and x < 41.5)
    b = (x > 12.0 and b) or (b and x < 42.5)
    b = (x > 13.0 and b) or (b and x < 43.5)
    b = (x > 14.0 and b) or (b and x < 44.5)
    b = (x > 15.0 and b) or (b and x < 45.5)
    b = (x > 16.0 and b) or (b and x < 46.5)
    b = (x > 17.0 and b) or (b and x < 47.5)
    b = (x > 18.0 and b) or (b and x < 48.5)
    b = (x > 19.0 and b) or (b and x < 49.5)
    b = (x > 20.0 and b) or (b and x < 50.5)
    b = (x > 21.0 and b) or (b and x < 51.5)
    b = (x > 22.0 and b) or (b and x < 52.5)
    b = (x > 23.0 and b) or (b and x < 53.5)
    return x * 2.0 if b else x * 3.0
