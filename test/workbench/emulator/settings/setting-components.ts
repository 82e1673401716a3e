/** All controls that a setting row can hold, in one place. */
export { BaseComponent, ValueComponent } from '../widgets/base-components';
export { ButtonComponent, ExtraButtonComponent } from '../widgets/button-components';
export { ColorComponent } from '../widgets/color-component';
export { SecretComponent } from './secret-component';
export {
  AbstractTextComponent,
  MomentFormatComponent,
  SearchComponent,
  TextAreaComponent,
  TextComponent,
} from '../widgets/text-components';
export {
  DisplayValueComponent,
  DropdownComponent,
  ProgressBarComponent,
  SliderComponent,
  ToggleComponent,
} from '../widgets/value-components';
