/** The contract and the comparison of two runs. */
export { findDifferences } from './find-differences';
export { expected, runContract, vaultContract, type ContractCase, type ContractContext } from './vault-contract';
