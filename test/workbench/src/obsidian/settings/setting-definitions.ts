/** The declarative settings system in one place. */
export { addControl, type ControlBinding } from './setting-controls';
export { findPage, indexDefinitions, matchesQuery, type IndexedSetting } from './setting-index';
export { SettingPage } from './setting-page';
export { DrawnSettings } from './setting-rows';
export { SettingScreen } from './setting-screen';
