import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  use,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

type Open = () => void

/** Opens the row; undefined while nothing of it can be opened. */
const OpenRow = createContext<Open | undefined>(undefined)

/** Takes what opens the row from its actions; absent outside of the rows of a list. */
export const RegisterOpening = createContext<((open: Open | undefined) => void) | undefined>(undefined)

const useRowOpening = () => {
  const target = useRef<Open>(undefined)
  const [canOpen, setCanOpen] = useState(false)
  const register = useCallback((open: Open | undefined) => {
    target.current = open
    setCanOpen(open !== undefined)
  }, [])
  const open = useCallback(() => target.current?.(), [])
  return { open: canOpen ? open : undefined, register }
}

const CONTROLS = 'a, button, input, label, select, textarea, [role="switch"], [role="button"], [role="combobox"]'

/** A click beside the controls of the row; one in a dialog or menu of it, or after selecting a text, is none. */
export const isPlainClick = ({ target, currentTarget }: MouseEvent): boolean =>
  target instanceof Element &&
  currentTarget.contains(target) &&
  target.closest(CONTROLS) === null &&
  window.getSelection()?.isCollapsed !== false

/** What opens a row, given by its list; antd gives every row a click handler of its own. */
export type RowOpening = Pick<ComponentProps<'tr'>, 'onClick'> & { onOpen?: Open }

/** The row of a table, which opens by a click. */
export const OpeningRow = ({ onOpen, onClick, ...rest }: ComponentProps<'tr'> & RowOpening) => {
  const { open, register } = useRowOpening()
  const press = onOpen ?? open
  return (
    <RegisterOpening value={register}>
      <OpenRow value={open}>
        <tr
          {...rest}
          data-opens={press !== undefined}
          onClick={(event) => {
            onClick?.(event)
            if (press && isPlainClick(event)) press()
          }}
        />
      </OpenRow>
    </RegisterOpening>
  )
}

/** Gives a card the same. */
export const OpeningCard = ({ children }: { children: (open: Open | undefined) => ReactNode }) => {
  const { open, register } = useRowOpening()
  return <RegisterOpening value={register}>{children(open)}</RegisterOpening>
}

/** The name of a row, by which it opens with the keyboard too; a link or button of its own opens it already. */
export const RowName = ({ onOpen, children }: { onOpen: Open | undefined; children: ReactNode }) => {
  const registered = use(OpenRow)
  const open = onOpen ?? registered
  const name = useRef<HTMLButtonElement>(null)
  const [hasOwn, setHasOwn] = useState(false)
  useLayoutEffect(() => {
    if (name.current?.querySelector(CONTROLS)) setHasOwn(true)
  }, [open])
  if (!open || hasOwn) return children
  return (
    <button type="button" className="row-name" ref={name} onClick={open}>
      {children}
    </button>
  )
}
