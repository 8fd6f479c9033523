import { GOOD_READINESS, LOW_READINESS } from '@tocsin/contract/insight/readiness'
import { type Bands, readinessWeights, type Weights } from '@tocsin/contract/insight/weights/readiness-weights'
import { Button, Flex, Table, Typography } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '#api/call.ts'
import { showError } from '#api/messages.ts'
import { ApiError } from '#api/error.ts'

type Effect = { before: Bands; after: Bands; isDone: boolean }

const noBands: Bands = { low: 0, fair: 0, good: 0 }
const addBands = (bands: Bands, other: Bands): Bands => ({
  low: bands.low + other.low,
  fair: bands.fair + other.fair,
  good: bands.good + other.good,
})
const countSchools = ({ low, fair, good }: Bands) => low + fair + good

/** Asks for one part of the schools after the other. */
const computeEffect = async (weights: Weights, show: (effect: Effect) => boolean): Promise<void> => {
  let effect: Effect = { before: noBands, after: noBands, isDone: false }
  let after: number | undefined
  do {
    const part = await call(readinessWeights.preview, { body: { weights, after } })
    after = part.next ?? undefined
    effect = {
      before: addBands(effect.before, part.before),
      after: addBands(effect.after, part.after),
      isDone: after === undefined,
    }
  } while (show(effect) && after !== undefined)
}

const BandTable = ({ before, after }: Effect) => {
  const { t } = useTranslation()
  const rows = [
    { band: `< ${LOW_READINESS}`, now: before.low, later: after.low },
    { band: `${LOW_READINESS}–${GOOD_READINESS - 1}`, now: before.fair, later: after.fair },
    { band: `≥ ${GOOD_READINESS}`, now: before.good, later: after.good },
  ]
  return (
    <Table
      size="small"
      rowKey="band"
      dataSource={rows}
      pagination={false}
      columns={[
        { title: t('weights.band'), dataIndex: 'band' },
        { title: t('weights.now'), dataIndex: 'now' },
        { title: t('weights.later'), dataIndex: 'later' },
      ]}
    />
  )
}

/** How many schools would be in each band. Mounted anew for other weights. */
export const EffectPreview = ({ weights, disabled }: { weights: Weights; disabled: boolean }) => {
  const { t } = useTranslation()
  const [isRunning, setIsRunning] = useState(false)
  const [effect, setEffect] = useState<Effect>()
  useEffect(() => {
    if (!isRunning) return
    let isHere = true
    const show = (next: Effect) => {
      if (isHere) setEffect(next)
      return isHere
    }
    computeEffect(weights, show)
      .catch((error: unknown) => isHere && error instanceof ApiError && showError(error))
      .finally(() => isHere && setIsRunning(false))
    return () => {
      isHere = false
    }
  }, [isRunning, weights])
  return (
    <Flex vertical gap="small" align="start">
      <Button disabled={disabled} loading={isRunning} onClick={() => setIsRunning(true)}>
        {t('weights.preview')}
      </Button>
      <div aria-live="polite">
        {effect && !effect.isDone && (
          <Typography.Text>{t('weights.previewing', { n: countSchools(effect.before) })}</Typography.Text>
        )}
        {effect?.isDone && <BandTable {...effect} />}
      </div>
    </Flex>
  )
}
