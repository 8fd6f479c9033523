/** Wire 3.2: below this the device counts as mobile. */
export const WIDE = '(min-width: 992px)'
