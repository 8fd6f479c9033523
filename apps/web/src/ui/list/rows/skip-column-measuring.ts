import { type ComponentProps, createElement, isValidElement, type ReactNode } from 'react'

/** antd's hidden row with copies of all titles, each observed for its width. */
const measures = (child: ReactNode): boolean =>
  isValidElement<object>(child) && Object.hasOwn(child.props, 'onColumnResize')

const Body = ({ children, ...rest }: ComponentProps<'tbody'>): ReactNode => {
  // Children are passed on one by one, as antd does: only lists need keys.
  const parts: ReactNode[] = Array.isArray(children) ? children : [children]
  return createElement('tbody', rest, ...parts.map((part) => (measures(part) ? null : part)))
}

/**
 * For the `components` of a table with a single fixed column at each end. antd measures every column to place several
 * fixed ones side by side, and then renders the table again; here that has no effect.
 */
export const skipColumnMeasuring = { body: { wrapper: Body } }
