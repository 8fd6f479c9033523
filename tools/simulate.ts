import { helpText, readFlags } from './simulator/cli/flags.ts'
import { run } from './simulator/cli/run.ts'

const interruption = new AbortController()
process.once('SIGINT', () => interruption.abort())
process.once('SIGTERM', () => interruption.abort())

try {
  const flags = readFlags(process.argv.slice(2))
  if (flags['until-stdin-ends']) process.stdin.resume().once('end', () => interruption.abort())
  if (flags.help) console.log(helpText())
  else process.exitCode = (await run(flags, interruption.signal, console.log)) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
