/** Wire 3.2: below this width the device counts as mobile. */
export const WIDE = '(min-width: 992px)'
