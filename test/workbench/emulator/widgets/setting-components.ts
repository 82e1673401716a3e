/** All controls that a setting row can hold, in one place. */
export { BaseComponent, ValueComponent } from './base-components';
export { ButtonComponent, ExtraButtonComponent } from './button-components';
export { ColorComponent } from './color-component';
export { SecretComponent } from './secret-component';
export {
  AbstractTextComponent,
  MomentFormatComponent,
  SearchComponent,
  TextAreaComponent,
  TextComponent,
} from './text-components';
export {
  DisplayValueComponent,
  DropdownComponent,
  ProgressBarComponent,
  SliderComponent,
  ToggleComponent,
} from './value-components';
