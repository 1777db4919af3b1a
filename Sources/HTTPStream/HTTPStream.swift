// HTTPStream
