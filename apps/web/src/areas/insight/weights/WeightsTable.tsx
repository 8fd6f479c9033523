import { MAX_POINTS, thresholdRanges, type Weights } from '@tocsin/contract/insight/weights/readiness-weights'
import { InputNumber, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'
import { conditionText, reasonText, replaceStep, toRows, unitOf, type WeightRow } from './weight-rows.ts'

type Props = {
  weights: Weights
  /** Absent to read only. */
  onChange?: ((weights: Weights) => void) | undefined
  /** The message of each rejected value by its path. */
  errors: ReadonlyMap<string, string>
}

/** The points of each reason, in steps. */
export const WeightsTable = ({ weights, onChange, errors }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const numberInput = (row: WeightRow, part: 'over' | 'points', name: string, range: { min: number; max: number }) => {
    const error = errors.get(`${row.key}.${part}`)
    return (
      <>
        <InputNumber
          {...range}
          precision={0}
          size="small"
          style={{ width: 88 }}
          aria-label={name}
          aria-invalid={error !== undefined}
          {...(error !== undefined && { status: 'error' as const })}
          value={row[part]}
          onChange={(value) => value !== null && onChange?.(replaceStep(weights, row, { [part]: value }))}
        />
        {error && <Typography.Text type="danger"> {error}</Typography.Text>}
      </>
    )
  }
  const condition = (row: WeightRow) => {
    const unit = unitOf(row)
    const range = thresholdRanges[row.code][row.n]
    if (!onChange || !unit || !range) return conditionText(row) || '–'
    const name = t('weights.thresholdOf', { reason: reasonText(row.code, lang), n: row.n + 1 })
    return (
      <>
        {t('weights.over')} {numberInput(row, 'over', name, range)} {unit}
      </>
    )
  }
  return (
    <ScrollTable<WeightRow>
      size="small"
      rowKey="key"
      dataSource={toRows(weights)}
      pagination={false}
      columns={[
        {
          title: t('weights.reason'),
          dataIndex: 'code',
          onCell: ({ code, n }) => ({ rowSpan: n === 0 ? weights[code].length : 0 }),
          render: (code: WeightRow['code']) => reasonText(code, lang),
        },
        { title: t('weights.condition'), render: (_, row) => condition(row) },
        {
          title: t('weights.points'),
          render: (_, row) =>
            onChange
              ? numberInput(
                  row,
                  'points',
                  t('weights.pointsOf', { reason: reasonText(row.code, lang), n: row.n + 1 }),
                  {
                    min: 0,
                    max: MAX_POINTS,
                  },
                )
              : row.points,
        },
      ]}
    />
  )
}
