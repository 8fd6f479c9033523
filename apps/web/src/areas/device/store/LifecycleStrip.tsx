import { DeviceQuery, lifecycles } from '@tocsin/contract/device/device'
import { deviceEdits } from '@tocsin/contract/device/device-verbs'
import { useQuery } from '@tanstack/react-query'
import { Flex } from 'antd'
import { queryFor } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useUrlQuery } from '#ui/list/url-query.ts'
import '../device.css'

/** From delivery to scrap: the number of devices in each stage, each a filter of the list below. */
export const LifecycleStrip = () => {
  const lang = useLang()
  const [query, setQuery] = useUrlQuery(DeviceQuery)
  const { data } = useQuery(queryFor(deviceEdits.counts))
  const counts = new Map(data?.map(({ lifecycle, count }) => [lifecycle, count]))
  const chosen = query.lifecycle ?? []
  const choose = (stage: (typeof lifecycles)[number]) => {
    const only = chosen.length === 1 && chosen[0] === stage
    setQuery({ ...query, pageNo: 1, lifecycle: only ? undefined : [stage] })
  }
  return (
    <Flex gap="small" wrap className="stage-strip">
      {lifecycles.map((stage) => (
        <button key={stage} type="button" aria-pressed={chosen.includes(stage)} onClick={() => choose(stage)}>
          <span>{enumLabel('lifecycle', stage, lang)}</span> <b>{counts.get(stage) ?? 0}</b>
        </button>
      ))}
    </Flex>
  )
}
