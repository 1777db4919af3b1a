/// A number of items.
public typealias CMItemCount = Int
/// The position of an item.
public typealias CMItemIndex = Int
