// Names with several addresses, for tests: a name that ends in ".addresses.test" has those that its other labels spell, in
// their order, with a hyphen for each dot; a label that begins with "x" is an IPv6 address, with hyphens for its colons.
//
//     127-0-0-2.127-0-0-1.addresses.test
//
// A name that ends in ".hangs.test" has no answer for 20 seconds.
//
// This takes over getaddrinfo() for the whole test process, and asks the system for all other names.
#pragma once
