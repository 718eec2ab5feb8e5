# Methods of strings, which are constants of the program.

def _str_join(separator, parts):
    result = ""
    for i, part in enumerate(parts):
        result = part if i == 0 else result + separator + part
    return result
def _str_split(text, separator=None):
    if separator is not None and len(separator) != 1:
        return refuse("a string is split at spaces or at one character")
    words, word = (), ""
    for c in text:
        if c == separator or separator is None and c in " \t\r\n":
            if separator is not None or word != "":
                words = words + (word,)
            word = ""
        else:
            word = word + c
    return [*words, word] if separator is not None or word != "" else [*words]
def _str_startswith(text, start):
    return text[:len(start)] == start
def _str_endswith(text, end):
    return len(end) <= len(text) and text[len(text) - len(end):] == end
