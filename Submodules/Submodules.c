// A C target has to compile something: its module map is what counts.
