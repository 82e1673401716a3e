/** The contract and how two runs of it are compared. */
export { findDifferences } from './find-differences';
export { expected, runContract, vaultContract, type ContractCase, type ContractContext } from './vault-contract';
