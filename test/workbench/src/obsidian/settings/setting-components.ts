/** All controls that a setting row can hold, in one place. */
export { BaseComponent, ValueComponent } from '../controls/base-components';
export { ButtonComponent, ExtraButtonComponent } from '../controls/button-components';
export { ColorComponent } from '../controls/color-component';
export { SecretComponent } from './secret-component';
export {
  AbstractTextComponent,
  MomentFormatComponent,
  SearchComponent,
  TextAreaComponent,
  TextComponent,
} from '../controls/text-components';
export {
  DisplayValueComponent,
  DropdownComponent,
  ProgressBarComponent,
  SliderComponent,
  ToggleComponent,
} from '../controls/value-components';
