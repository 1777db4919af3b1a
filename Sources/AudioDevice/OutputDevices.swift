/// The outputs of this machine.
public enum OutputDevices {
    /// The output that a program uses which names none, or `nil` where there is none.
    public static func automatic() -> (any OutputDevice)? { nil }
}
