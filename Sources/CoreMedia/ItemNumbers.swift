/// A number of items.
public typealias CMItemCount = Int
/// The index of an item.
public typealias CMItemIndex = Int
