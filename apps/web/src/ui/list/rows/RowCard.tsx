import { Checkbox } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import type { Column } from '../../column.tsx'
import { isPlainClick, OpeningCard, RowName } from './row-opening.tsx'
import type { RowPicking, RowsProps } from './row-types.ts'

const PickBox = <Row,>({ row, id, picking }: { row: Row; id: string | number; picking: RowPicking<Row> }) => {
  const { t } = useTranslation()
  const { keys, onPick, why, name } = picking
  const reason = why(row)
  return (
    <Checkbox
      checked={keys.includes(id)}
      disabled={reason !== undefined}
      aria-label={t('list.pick', { name: name(row) })}
      {...(reason && { title: reason })}
      onClick={(event) => event.stopPropagation()}
      onChange={({ target }) => onPick(target.checked ? [...keys, id] : keys.filter((key) => key !== id))}
    />
  )
}

/** Columns that say how a row is; the first of them stands beside the name. */
const STATES = new Set([
  'state',
  'status',
  'lifecycle',
  'connectivity',
  'light',
  'readState',
  'enabled',
  'score',
  'result',
])

/** As many values as fit on the second line. */
const SECOND_LINE = 3

const arrangeColumns = <Row,>(columns: readonly Column<Row>[]) => {
  const shown = columns.filter(({ optional }) => !optional)
  const heading = shown.find((column) => column.main) ?? shown[0]
  const state = shown.find((column) => column !== heading && STATES.has(column.key))
  const others = shown.filter((column) => column !== heading && column !== state)
  return { heading, state, second: others.filter(({ wideOnly }) => !wideOnly).slice(0, SECOND_LINE), others }
}

type Props<Row> = Pick<RowsProps<Row>, 'columns' | 'actions' | 'onOpen' | 'expand' | 'picking'> & {
  row: Row
  id: string | number
}

/** All values of a row that has nothing to open. */
const AllLines = <Row,>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) => {
  const lang = useLang()
  return (
    <dl className="card-lines">
      {columns.map((line) => (
        <div key={line.key}>
          <dt>{line.title(lang)}</dt>
          <dd>{line.render(row)}</dd>
        </div>
      ))}
    </dl>
  )
}

const SecondLine = <Row,>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }): ReactNode => {
  const lang = useLang()
  return columns.map((column) => (
    <span key={column.key} title={column.title(lang)}>
      {column.render(row)}
    </span>
  ))
}

/** A row on a phone: the name and how it is, then what it is about, with the next step. A tap opens it. */
export const RowCard = <Row,>({ row, id, columns, actions, onOpen, expand, picking }: Props<Row>) => {
  const { heading, state, second, others } = arrangeColumns(columns)
  const [isUnfolded, setUnfolded] = useState(false)
  const open = onOpen && (() => onOpen(row))
  return (
    <OpeningCard>
      {(registered) => {
        const unfold = () => setUnfolded((before) => !before)
        const tap = open ?? registered ?? unfold
        return (
          <div className="row-card" onClick={(event) => isPlainClick(event) && tap()}>
            <div className="row-card-line">
              {picking && <PickBox row={row} id={id} picking={picking} />}
              <strong>
                <RowName onOpen={tap}>{heading?.render(row)}</RowName>
              </strong>
              {state?.render(row)}
            </div>
            <div className="row-card-line">
              <span className="row-card-about">
                <SecondLine row={row} columns={second} />
              </span>
              {actions?.(row)}
            </div>
            {isUnfolded && <AllLines row={row} columns={others} />}
            {expand?.(row)}
          </div>
        )
      }}
    </OpeningCard>
  )
}
