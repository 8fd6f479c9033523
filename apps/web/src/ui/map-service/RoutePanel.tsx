import { Alert, Button, Flex, Input, Segmented, Typography } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseLngLat } from './geometry.ts'
import type { PlaceSearch } from './places.ts'
import {
  drivingPolicies,
  type DrivingPolicy,
  type RouteAnswer,
  type RoutePlan,
  type RouteQuery,
  type RouteSearch,
  routeTypes,
  type RouteType,
  transitPolicies,
  type TransitPolicy,
} from './routes.ts'
import type { LngLat } from './types.ts'

const typeTexts = { 0: 'drive', 1: 'bus', 2: 'walk' } as const
const drivingTexts = { 0: 'leastTime', 1: 'leastDistance', 2: 'avoidHighways' } as const
const transitTexts = { 1: 'leastTime', 2: 'leastTransfer', 4: 'leastWalking', 8: 'avoidSubways' } as const

const SECONDS_PER_MINUTE = 60

/** A position as text, or else the first place of that name. */
const resolvePlace = async (places: PlaceSearch, text: string): Promise<LngLat | null> =>
  parseLngLat(text) ?? (await places.find(text.trim(), 1)).places.find(({ lonlat }) => lonlat)?.lonlat ?? null

type Choice = { type: RouteType; driving: DrivingPolicy; transit: TransitPolicy }

const toQuery = ({ type, driving, transit }: Choice, start: LngLat, end: LngLat): RouteQuery => {
  if (type === 0) return { type, policy: driving, start, end }
  return type === 1 ? { type, policy: transit, start, end } : { type, start, end }
}

type Found = { start: string; end: string; choice: Choice }

const findRoutes = async (
  places: PlaceSearch,
  routes: RouteSearch,
  { start, end, choice }: Found,
): Promise<RouteAnswer> => {
  const from = await resolvePlace(places, start)
  if (!from) return { plans: [], problem: 'NO_START' }
  const to = await resolvePlace(places, end)
  return to ? routes.find(toQuery(choice, from, to)) : { plans: [], problem: 'NO_END' }
}

const PlanText = ({ plan }: { plan: RoutePlan }) => {
  const { t } = useTranslation()
  const kilometres = (plan.distanceM / 1000).toFixed(1)
  if (plan.durationS === undefined) return <>{t('mapService.straight', { n: kilometres })}</>
  const minutes = Math.max(1, Math.round(plan.durationS / SECONDS_PER_MINUTE))
  return <>{[plan.name, t('mapService.plan', { n: kilometres, minutes })].filter(Boolean).join(' · ')}</>
}

const Plans = ({
  answer,
  chosen,
  onChoose,
}: {
  answer: RouteAnswer
  chosen: number
  onChoose: (index: number) => void
}) => {
  const { t } = useTranslation()
  const plan = answer.plans[chosen]
  return (
    <>
      {answer.problem && <Alert type="warning" showIcon title={t(`mapService.${answer.problem}`)} />}
      <ul className="map-service-list" aria-label={t('mapService.plans')}>
        {answer.plans.map((row, index) => (
          <li key={`${row.name} ${row.distanceM}`}>
            <Button
              type="text"
              block
              className="map-service-row"
              aria-pressed={index === chosen}
              onClick={() => onChoose(index)}
            >
              <PlanText plan={row} />
            </Button>
          </li>
        ))}
      </ul>
      {plan && plan.steps.length > 0 && (
        <ol className="map-service-steps">
          {plan.steps.map((step, index) => (
            <li key={`${step} ${index}`}>
              <Typography.Text>{step}</Typography.Text>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

const PolicyChoice = ({ choice, onChoice }: { choice: Choice; onChoice: (choice: Choice) => void }) => {
  const { t } = useTranslation()
  return (
    <>
      <Segmented
        value={choice.type}
        onChange={(type) => onChoice({ ...choice, type })}
        aria-label={t('mapService.routeType')}
        options={Object.values(routeTypes).map((value) => ({ value, label: t(`mapService.${typeTexts[value]}`) }))}
      />
      {choice.type === 0 && (
        <Segmented
          value={choice.driving}
          onChange={(driving) => onChoice({ ...choice, driving })}
          aria-label={t('mapService.policy')}
          options={Object.values(drivingPolicies).map((value) => ({
            value,
            label: t(`mapService.${drivingTexts[value]}`),
          }))}
        />
      )}
      {choice.type === 1 && (
        <Segmented
          value={choice.transit}
          onChange={(transit) => onChoice({ ...choice, transit })}
          aria-label={t('mapService.policy')}
          options={Object.values(transitPolicies).map((value) => ({
            value,
            label: t(`mapService.${transitTexts[value]}`),
          }))}
        />
      )}
    </>
  )
}

/** The plans for a start and an end; a slow answer to an earlier question is dropped. */
const useRoutes = (onDrawing: (plan: RoutePlan | undefined) => void) => {
  const [answer, setAnswer] = useState<RouteAnswer>()
  const [chosen, setChosen] = useState(0)
  const [state, setState] = useState<'IDLE' | 'BUSY' | 'FAILED'>('IDLE')
  const latest = useRef(0)
  const ask = async (begin: () => Promise<RouteAnswer>) => {
    latest.current += 1
    const own = latest.current
    setState('BUSY')
    try {
      const found = await begin()
      if (own !== latest.current) return
      setAnswer(found)
      setChosen(0)
      setState('IDLE')
      onDrawing(found.plans[0])
    } catch {
      if (own === latest.current) setState('FAILED')
    }
  }
  const choose = (index: number) => {
    setChosen(index)
    onDrawing(answer?.plans[index])
  }
  return { answer, chosen, state, ask, choose }
}

type RoutePanelProps = {
  places: PlaceSearch
  routes: RouteSearch
  /** The plan to draw; undefined where there is none. */
  onDrawing: (plan: RoutePlan | undefined) => void
}

/** Routes between two places: by car, by bus, on foot. */
export const RoutePanel = ({ places, routes, onDrawing }: RoutePanelProps) => {
  const { t } = useTranslation()
  const [start, setStart] = useState('')
  const [end, setEnd] = useState('')
  const [choice, setChoice] = useState<Choice>({ type: 0, driving: 0, transit: 1 })
  const { answer, chosen, state, ask, choose } = useRoutes(onDrawing)
  const isReady = start.trim() !== '' && end.trim() !== ''
  const find = (next: Choice) => {
    if (isReady) void ask(() => findRoutes(places, routes, { start, end, choice: next }))
  }
  const change = (next: Choice) => {
    setChoice(next)
    if (answer) find(next)
  }
  return (
    <Flex vertical gap="small">
      <Input
        value={start}
        placeholder={t('mapService.placeHint')}
        aria-label={t('mapService.start')}
        prefix={t('mapService.start')}
        onChange={({ target }) => setStart(target.value)}
      />
      <Input
        value={end}
        placeholder={t('mapService.placeHint')}
        aria-label={t('mapService.end')}
        prefix={t('mapService.end')}
        onChange={({ target }) => setEnd(target.value)}
        onPressEnter={() => find(choice)}
      />
      <PolicyChoice choice={choice} onChoice={change} />
      <Button type="primary" disabled={!isReady} loading={state === 'BUSY'} onClick={() => find(choice)}>
        {t('mapService.findRoute')}
      </Button>
      {state === 'FAILED' && <Alert type="warning" showIcon title={t('mapService.noAnswer')} />}
      {answer && <Plans answer={answer} chosen={chosen} onChoose={choose} />}
    </Flex>
  )
}
