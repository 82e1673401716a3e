/** The `Platform` record, and the one function that changes which device is pretended. */
export const Platform = {
  isDesktop: true,
  isMobile: false,
  isDesktopApp: true,
  isMobileApp: false,
  isIosApp: false,
  isAndroidApp: false,
  isPhone: false,
  isTablet: false,
  isMacOS: false,
  isWin: false,
  isLinux: true,
  isSafari: false,
  resourcePathPrefix: 'app://emulated/',
};

export interface PlatformChoice {
  phone: boolean;
  /** A tablet is mobile without being a phone; ignored when `phone` is true. */
  tablet?: boolean;
  macOS?: boolean;
}

/** A phone here is an Android phone running the mobile app, without any Node module. */
export function setPlatform({ phone, tablet = false, macOS = false }: PlatformChoice): void {
  const mobile = phone || tablet;
  Object.assign(Platform, {
    isDesktop: !mobile,
    isMobile: mobile,
    isDesktopApp: !mobile,
    isMobileApp: mobile,
    isIosApp: false,
    isAndroidApp: mobile,
    isPhone: phone,
    isTablet: tablet && !phone,
    isMacOS: macOS && !mobile,
    isWin: false,
    isLinux: !macOS && !mobile,
    isSafari: false,
    resourcePathPrefix: mobile ? 'file:///' : 'app://emulated/',
  });
}
