# Mutable boxes (`from gradus import Box`), after Innes et al. 2019, section 3.2. The store holds what is in all of them: the number of the
# next one, and a vector of their contents, each with whether there is one. A change makes another vector; so the cotangent of the store is
# such a vector, in which reading adds to a box, and writing takes what is there and leaves nothing.

def _new_box():
    boxes = store()
    set_store(vector_moved(boxes, 0, boxes[0] + 1))
    return varying(boxes[0])
def _is_filled(box):
    return vector_at(store(), varying(number_of(box)))[0]
def _content(box):
    return vector_at(store(), varying(number_of(box)))[1]
def _set_box(box, value):
    boxes = store()
    set_store(vector_with(boxes, varying(number_of(box)), (True, packed(value, box)), boxes[0]))
