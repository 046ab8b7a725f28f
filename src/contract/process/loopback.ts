/** Addresses that only programs of this machine can reach. */
export const isLoopback = (address: string): boolean =>
  address === '::1' || address === 'localhost' || /^127(\.\d{1,3}){3}$/.test(address);
