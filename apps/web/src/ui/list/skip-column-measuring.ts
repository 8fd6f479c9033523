import { type ComponentProps, createElement, isValidElement, type ReactNode } from 'react'

/** The kit's hidden row of copies of all titles, each of them watched for its width. */
const measures = (child: ReactNode): boolean =>
  isValidElement<object>(child) && Object.hasOwn(child.props, 'onColumnResize')

const Body = ({ children, ...rest }: ComponentProps<'tbody'>): ReactNode => {
  // Handed on one by one, as the kit did: only lists need keys.
  const parts: ReactNode[] = Array.isArray(children) ? children : [children]
  return createElement('tbody', rest, ...parts.map((part) => (measures(part) ? null : part)))
}

/**
 * For the `components` of a table whose fixed columns stand alone at its ends. The kit measures every column to place
 * several fixed ones side by side, and draws the table once more when it has; here that would tell it nothing.
 */
export const skipColumnMeasuring = { body: { wrapper: Body } }
